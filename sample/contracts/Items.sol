// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

interface IItemReceiver {
    function onERC1155Received(address operator, address from, uint256 id, uint256 value, bytes calldata data)
        external
        returns (bytes4);
    function onERC1155BatchReceived(
        address operator,
        address from,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external returns (bytes4);
}

/// An ERC-1155 collection that anyone may mint from, singly and in batches.
contract Items {
    string public name;
    string private base;
    mapping(address => mapping(uint256 => uint256)) public balanceOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;

    event TransferSingle(
        address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value
    );
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );
    event ApprovalForAll(address indexed account, address indexed operator, bool approved);

    error BalanceTooLow(address from, uint256 id, uint256 available, uint256 wanted);
    error NotAllowed(address operator, address from);

    constructor(string memory name_, string memory base_) {
        name = name_;
        base = base_;
    }

    function supportsInterface(bytes4 id) external pure returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x0e89341c;
    }

    function uri(uint256) external view returns (string memory) {
        return string.concat(base, "{id}.json");
    }

    function balanceOfBatch(address[] calldata accounts, uint256[] calldata ids)
        external
        view
        returns (uint256[] memory balances)
    {
        require(accounts.length == ids.length, "Items: lengths differ");
        balances = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) balances[i] = balanceOf[accounts[i]][ids[i]];
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function mint(uint256 id, uint256 value) external {
        balanceOf[msg.sender][id] += value;
        emit TransferSingle(msg.sender, address(0), msg.sender, id, value);
    }

    function mintBatch(uint256[] calldata ids, uint256[] calldata values) external {
        require(ids.length == values.length, "Items: lengths differ");
        for (uint256 i = 0; i < ids.length; i++) balanceOf[msg.sender][ids[i]] += values[i];
        emit TransferBatch(msg.sender, address(0), msg.sender, ids, values);
    }

    function burn(uint256 id, uint256 value) external {
        take(msg.sender, id, value);
        emit TransferSingle(msg.sender, msg.sender, address(0), id, value);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external {
        if (msg.sender != from && !isApprovedForAll[from][msg.sender]) revert NotAllowed(msg.sender, from);
        take(from, id, value);
        balanceOf[to][id] += value;
        emit TransferSingle(msg.sender, from, to, id, value);
        if (to.code.length > 0) {
            bytes4 answer = IItemReceiver(to).onERC1155Received(msg.sender, from, id, value, data);
            require(answer == IItemReceiver.onERC1155Received.selector, "Items: refused");
        }
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external {
        require(ids.length == values.length, "Items: lengths differ");
        if (msg.sender != from && !isApprovedForAll[from][msg.sender]) revert NotAllowed(msg.sender, from);
        for (uint256 i = 0; i < ids.length; i++) {
            take(from, ids[i], values[i]);
            balanceOf[to][ids[i]] += values[i];
        }
        emit TransferBatch(msg.sender, from, to, ids, values);
        if (to.code.length > 0) {
            bytes4 answer = IItemReceiver(to).onERC1155BatchReceived(msg.sender, from, ids, values, data);
            require(answer == IItemReceiver.onERC1155BatchReceived.selector, "Items: refused");
        }
    }

    function take(address from, uint256 id, uint256 value) private {
        uint256 available = balanceOf[from][id];
        if (available < value) revert BalanceTooLow(from, id, available, value);
        balanceOf[from][id] = available - value;
    }
}
