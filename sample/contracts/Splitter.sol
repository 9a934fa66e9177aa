// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Hands the native token on to several recipients by calls inside the call.
contract Splitter {
    event Split(address indexed from, uint256 value, uint256 recipients);

    function split(address[] calldata recipients) external payable {
        require(recipients.length > 0, "Splitter: nobody to pay");
        uint256 share = msg.value / recipients.length;
        for (uint256 i = 0; i < recipients.length; i++) {
            (bool sent,) = recipients[i].call{value: share}("");
            require(sent, "Splitter: refused");
        }
        uint256 rest = address(this).balance;
        if (rest > 0) {
            (bool returned,) = msg.sender.call{value: rest}("");
            require(returned, "Splitter: refused");
        }
        emit Split(msg.sender, msg.value, recipients.length);
    }
}
