// SPDX-License-Identifier: MIT
pragma solidity 0.8.30;

import {IItemReceiver} from "./Items.sol";

/// An ERC-1155 collection in which every id has a URI of its own. Anyone may mint; an id may stand in a batch twice.
contract Relics {
    string public name;
    string public symbol;
    mapping(address => mapping(uint256 => uint256)) public balanceOf;
    mapping(address => mapping(address => bool)) public isApprovedForAll;
    mapping(uint256 => string) public uri;

    event TransferSingle(
        address indexed operator, address indexed from, address indexed to, uint256 id, uint256 value
    );
    event TransferBatch(
        address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] values
    );
    event ApprovalForAll(address indexed account, address indexed operator, bool approved);
    event URI(string value, uint256 indexed id);

    error NotAllowed(address operator, address from);

    constructor(string memory name_, string memory symbol_) {
        name = name_;
        symbol = symbol_;
    }

    function supportsInterface(bytes4 id) external pure virtual returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x0e89341c;
    }

    function balanceOfBatch(address[] calldata accounts, uint256[] calldata ids)
        external
        view
        returns (uint256[] memory balances)
    {
        require(accounts.length == ids.length, "Relics: lengths differ");
        balances = new uint256[](ids.length);
        for (uint256 i = 0; i < ids.length; i++) balances[i] = balanceOf[accounts[i]][ids[i]];
    }

    function setApprovalForAll(address operator, bool approved) external {
        isApprovedForAll[msg.sender][operator] = approved;
        emit ApprovalForAll(msg.sender, operator, approved);
    }

    function setUri(uint256 id, string calldata value) external {
        uri[id] = value;
        emit URI(value, id);
    }

    function mint(address to, uint256 id, uint256 value) external {
        balanceOf[to][id] += value;
        emit TransferSingle(msg.sender, address(0), to, id, value);
        accepted(address(0), to, id, value, "");
    }

    function mintBatch(address to, uint256[] calldata ids, uint256[] calldata values) external {
        move(address(0), to, ids, values);
    }

    function burn(uint256 id, uint256 value) external {
        balanceOf[msg.sender][id] -= value;
        emit TransferSingle(msg.sender, msg.sender, address(0), id, value);
    }

    function burnBatch(uint256[] calldata ids, uint256[] calldata values) external {
        move(msg.sender, address(0), ids, values);
    }

    function safeTransferFrom(address from, address to, uint256 id, uint256 value, bytes calldata data) external {
        if (msg.sender != from && !isApprovedForAll[from][msg.sender]) revert NotAllowed(msg.sender, from);
        balanceOf[from][id] -= value;
        balanceOf[to][id] += value;
        emit TransferSingle(msg.sender, from, to, id, value);
        accepted(from, to, id, value, data);
    }

    function safeBatchTransferFrom(
        address from,
        address to,
        uint256[] calldata ids,
        uint256[] calldata values,
        bytes calldata data
    ) external {
        if (msg.sender != from && !isApprovedForAll[from][msg.sender]) revert NotAllowed(msg.sender, from);
        move(from, to, ids, values);
        if (to.code.length > 0) {
            bytes4 answer = IItemReceiver(to).onERC1155BatchReceived(msg.sender, from, ids, values, data);
            require(answer == IItemReceiver.onERC1155BatchReceived.selector, "Relics: refused");
        }
    }

    function move(address from, address to, uint256[] calldata ids, uint256[] calldata values) private {
        require(ids.length == values.length, "Relics: lengths differ");
        for (uint256 i = 0; i < ids.length; i++) {
            if (from != address(0)) balanceOf[from][ids[i]] -= values[i];
            if (to != address(0)) balanceOf[to][ids[i]] += values[i];
        }
        emit TransferBatch(msg.sender, from, to, ids, values);
    }

    function accepted(address from, address to, uint256 id, uint256 value, bytes memory data) private {
        if (to.code.length == 0) return;
        bytes4 answer = IItemReceiver(to).onERC1155Received(msg.sender, from, id, value, data);
        require(answer == IItemReceiver.onERC1155Received.selector, "Relics: refused");
    }
}

/// An ERC-1155 collection that says of itself to be ERC-721 too, and logs its single units like one as well.
contract Twofold is Relics {
    mapping(uint256 => address) public ownerOf;
    mapping(address => uint256) private held;

    event Transfer(address indexed from, address indexed to, uint256 indexed tokenId);

    constructor() Relics("Twofold", "TWO") {}

    function supportsInterface(bytes4 id) external pure override returns (bool) {
        return id == 0x01ffc9a7 || id == 0xd9b67a26 || id == 0x0e89341c || id == 0x80ac58cd || id == 0x5b5e139f;
    }

    function balanceOf721(address account) external view returns (uint256) {
        return held[account];
    }

    function tokenURI(uint256 tokenId) external view returns (string memory) {
        return uri[tokenId];
    }

    function mintUnique(address to, uint256 tokenId) external {
        require(ownerOf[tokenId] == address(0), "Twofold: minted before");
        ownerOf[tokenId] = to;
        held[to] += 1;
        emit Transfer(address(0), to, tokenId);
    }

    function transferFrom(address from, address to, uint256 tokenId) external {
        require(ownerOf[tokenId] == from && msg.sender == from, "Twofold: not the holder");
        ownerOf[tokenId] = to;
        held[from] -= 1;
        held[to] += 1;
        emit Transfer(from, to, tokenId);
    }
}
