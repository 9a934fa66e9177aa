// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

/// Every way for a call to fail.
contract Trouble {
    uint256[] private list;
    uint256 public attempts;

    error CreditTooLow(uint256 available, uint256 required);

    event Attempted(address indexed caller, bool succeeded);

    function withReason(string calldata reason) external pure {
        revert(reason);
    }

    function withError(uint256 available, uint256 required) external pure {
        revert CreditTooLow(available, required);
    }

    function withoutReason() external pure {
        assembly {
            revert(0, 0)
        }
    }

    function withAssert() external pure {
        assert(false);
    }

    function withDivision(uint256 divisor) external pure returns (uint256) {
        return 1 / divisor;
    }

    function withIndex(uint256 index) external view returns (uint256) {
        return list[index];
    }

    function withoutEnd() external {
        while (true) attempts++;
    }

    function withInvalid() external pure {
        assembly {
            invalid()
        }
    }

    /// Succeeds although the call inside it fails.
    function caught() external {
        attempts++;
        bool succeeded;
        try this.withError(1, 2) {
            succeeded = true;
        } catch {}
        emit Attempted(msg.sender, succeeded);
    }
}
